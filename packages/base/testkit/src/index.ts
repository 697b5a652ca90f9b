export { type CaptureSuiteOptions, captureSuite } from './capture-suite.ts'
export { type CheckSuiteOptions, checkSuite } from './check-suite.ts'
export { commandSuite } from './command-suite.ts'
export { compositionFacts } from './composition-facts.ts'
export { type DeliverySuiteOptions, type Destination, deliverySuite } from './delivery-suite.ts'
export { type EncoderSuiteOptions, encoderSuite } from './encoder-suite.ts'
export { blockedPath, folderDestination } from './folder-destination.ts'
export { decodePng, encodePng, type Pixels } from './png.ts'
export {
  type RemoteScript,
  type RemoteSide,
  type RequestTargetSuiteOptions,
  requestTargetSuite,
} from './request-target-suite.ts'
export { scratchFolder } from './rig.ts'
export { type CommandOutcome, runInFolder } from './run-command.ts'
export { noise, type Painter, type Shot, type ShotFiles, shootVideo } from './shot.ts'
export { speakerSuite } from './speaker-suite.ts'
export type { SpeechSuiteOptions } from './speech-rig.ts'
export { listBlobs } from './store-rig.ts'
export { storeSuite } from './store-suite.ts'
export type { MakePlugin, SuiteOptions } from './suite.ts'
export { type TargetSuiteOptions, targetSuite } from './target-suite.ts'
export { toneFile } from './tone.ts'
export { transcriberSuite } from './transcriber-suite.ts'
export { type WavFormat, wavOf } from './wav.ts'
