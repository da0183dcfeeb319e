// The script of pages with tables to sort.
import { start } from "./sort.mjs";

start();
