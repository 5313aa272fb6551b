/*
 * The stock select_cons_tres.so, which ours stands in front of: found in PluginDir, loaded once.
 */
#ifndef YARDMASTER_PLUGIN_ABI_STOCK_CONS_TRES_H
#define YARDMASTER_PLUGIN_ABI_STOCK_CONS_TRES_H

/*
 * Loads the select_cons_tres.so that PluginDir names next after the file in which `own` lies.
 * 0, or -1 with an error in the log that names what was looked for and the remedy.
 */
int ym_stock_open(const void* own);
void ym_stock_close(void);
/* The address of one of its symbols; NULL with an error in the log when it has none. */
void* ym_stock_symbol(const char* name);

#endif
