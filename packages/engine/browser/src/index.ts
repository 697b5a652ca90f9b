export { captureErrors } from './capture-errors.ts'
export { captureWarnings } from './capture-warnings.ts'
export {
  type BrowserCapture,
  type BrowserCaptureOptions,
  type ChromiumCapture,
  type ChromiumCaptureOptions,
  defineBrowserCapture,
  defineChromiumCapture,
} from './chromium-capture.ts'
export type { BrowserExit, BrowserLaunch, CdpPort, DrivenBrowser, DrivenPage, PageDriver } from './driver/cdp.ts'
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
} from './driver/portable-driver.ts'
export { browserErrors } from './errors.ts'
export { type InstalledBrowser, type InstallOptions, installBrowser } from './install/install-browser.ts'
export type { LaneChoice } from './lanes/lane-choice.ts'
export { type DrivenProcess, watchProcess } from './launch/driven-process.ts'
export { type BrowserExecutable, type FindBrowserOptions, findBrowser, findEmbeddedBrowser } from './launch/find.ts'
export { type FlagRule, flagRules, type LaunchSettings, launchFlags } from './launch/flags.ts'
export type { BrowserEngine, BrowserKind } from './launch/installed.ts'
export type { BrowserMachine } from './launch/machine.ts'
export { removeOldBrowsers } from './launch/old-browsers.ts'
export { removeAbandonedProfiles } from './launch/profile.ts'
export { explainStart, watchStart } from './launch/started-process.ts'
export { unpackBrowser } from './launch/unpack.ts'
export { evictFrames } from './media/frame-cache.ts'
export { createMediaSupply, type MediaSupply } from './media/media-supply.ts'
export { decodeScreenshot, encodeFastPng } from './pictures/png.ts'
export { openCaptureSession } from './session/session.ts'
export type { PagePlan, SessionOptions } from './session/session-options.ts'
