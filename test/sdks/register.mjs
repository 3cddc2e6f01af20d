/** `node --import`: programs here and in `examples` find `ttft` in the sources, and the SDKs in one folder. */
import { register } from "node:module";

register("./resolve.mjs", import.meta.url);
