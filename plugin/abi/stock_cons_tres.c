#define _GNU_SOURCE
#include "plugin/abi/stock_cons_tres.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugin/abi/slurm_abi.h"

#define FILE_NAME "select_cons_tres.so"

static void* handle;

static void log_two(const char* text, const char* object) {
    char line[1024];

    snprintf(line, sizeof(line), "%s: %s", text, object);
    ym_log(YM_LOG_ERROR, line);
}

static bool same_file(const char* a, const char* b) {
    struct stat stat_a, stat_b;

    return !stat(a, &stat_a) && !stat(b, &stat_b) && stat_a.st_dev == stat_b.st_dev &&
           stat_a.st_ino == stat_b.st_ino;
}

/*
 * The first candidate in `folders` (which is cut up) that comes after the folder of `own`; the
 * first one that is not `own` where that folder is not listed. "After" lets shadows stand in a row.
 */
static bool find_stock(char* folders, const char* own, char* path, size_t size) {
    char candidate[4096];
    char* rest = NULL;
    bool found = false;
    struct stat unused;

    for (char* folder = strtok_r(folders, ":", &rest); folder;
         folder = strtok_r(NULL, ":", &rest)) {
        snprintf(candidate, sizeof(candidate), "%s/%s", folder, FILE_NAME);
        if (same_file(candidate, own)) {
            found = false;
        } else if (!found && !stat(candidate, &unused)) {
            snprintf(path, size, "%s", candidate);
            found = true;
        }
    }
    return found;
}

int ym_stock_open(const void* own) {
    char path[4096];
    Dl_info self;
    char* folders;
    bool found;

    if (handle)
        return 0;
    if (!dladdr(own, &self)) {
        ym_log(YM_LOG_ERROR, "cannot tell which file this plugin was loaded from");
        return -1;
    }
    folders = strdup(ym_plugin_dir());
    found = folders && find_stock(folders, self.dli_fname, path, sizeof(path));
    free(folders);
    if (!found) {
        log_two("PluginDir holds no stock " FILE_NAME
                " besides ours; write PluginDir=<Yardmaster's folder>:<Slurm's folder>; it is",
                ym_plugin_dir());
        return -1;
    }
    /* Lazily bound, as Slurm does: commands lack slurmctld's symbols. */
    handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) {
        log_two("cannot load the stock plugin", dlerror());
        return -1;
    }
    return 0;
}

void ym_stock_close(void) {
    if (handle)
        dlclose(handle);
    handle = NULL;
}

void* ym_stock_symbol(const char* name) {
    void* symbol = handle ? dlsym(handle, name) : NULL;

    if (!symbol)
        log_two("the stock " FILE_NAME " lacks a symbol", name);
    return symbol;
}
