// For plugins that run a program: its options, its run, and what it has written.
export { MAX_TRANSCRIPT_BYTES, readTranscript, writtenTranscript } from './answers/read-transcript.ts'
export { fail as failSpeech } from './errors.ts'
export { fillPlaceholders } from './fill-placeholders.ts'
export { programBuild } from './program/program-build.ts'
export { programOptions } from './program/program-options.ts'
export { type ProgramRun, runProgram } from './program/run-program.ts'
