// The script that reads a reader's own model and device; the explorer loads it when it is wanted, and leaves what it needs.
import { start } from "./explorer/own.mjs";

start(globalThis.roofline.own);
