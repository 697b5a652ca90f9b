export { type AssetServer, startAssetServer } from './asset-server.ts'
export { captureErrors } from './capture-errors.ts'
export type { BrowserExit, BrowserLaunch, CdpPort, DrivenBrowser, DrivenPage, PageDriver } from './cdp.ts'
export {
  type BrowserCapture,
  type BrowserCaptureOptions,
  type ChromiumCapture,
  type ChromiumCaptureOptions,
  defineBrowserCapture,
  defineChromiumCapture,
} from './chromium-capture.ts'
export { type DrivenProcess, watchProcess } from './driven-process.ts'
export { browserErrors } from './errors.ts'
export { type BrowserExecutable, type FindBrowserOptions, findBrowser } from './find.ts'
export { type FirefoxSetting, firefoxSettings } from './firefox.ts'
export { type FlagRule, flagRules, type LaunchSettings, launchFlags } from './flags.ts'
export { bundledLetters } from './font-letters.ts'
export { type BundledFamily, bundledFamilies } from './fonts.ts'
export type { BrowserEngine, BrowserKind } from './installed.ts'
export type { LaneChoice } from './lane-choice.ts'
export { resolveLibrary, type ShelvedLibrary } from './library-shelf.ts'
export type { BrowserMachine } from './machine.ts'
export type {
  CapturePart,
  Evaluation,
  PageAnswer,
  PageListener,
  PageRequest,
  PortableDriver,
  PortableOpening,
  PortablePage,
  PortablePicture,
} from './portable-driver.ts'
export { type BrowserProfile, createProfile } from './profile.ts'
export {
  openCaptureSession,
  type PagePlan,
  type SessionOptions,
} from './session.ts'
export { COMPOSITION_SOURCE, createSourceCheck } from './sources.ts'
export { unpackBrowser } from './unpack.ts'
