/** The parts of both runners that a test may call by itself. */
export { type CaseFile, readCases, runCase, warmUp } from "./case-runner.ts";
export { type Checked, checkRecording } from "./corpus/check.ts";
export { readExpectations, readIndex, readRecording } from "./corpus/recording.ts";
export { judge } from "./expect/judge.ts";
export type { Problem } from "./expect/problem.ts";
export type { CaseClient, Expectation, StreamCase } from "./format.ts";
export { type Library, type Loaded, load } from "./library.ts";
export { packagingProblems } from "./packaging.ts";
export { type Plan, plansFor } from "./plan.ts";
export { type Played, play } from "./play/run.ts";
export { Report } from "./report.ts";
export { memoryStub } from "./stub/memory.ts";
export { serverStub } from "./stub/server.ts";
