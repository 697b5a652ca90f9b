export {
  anyObject,
  type CaptionsUse,
  type ChapterUse,
  type ConsoleMessage,
  checkPlan,
  checkRequest,
  type DeepReadonly,
  type Delivered,
  defineErrors,
  defineWarnings,
  describeCause,
  type EncoderSetting,
  type ErrorData,
  type ErrorOrigin,
  type ErrorTable,
  type ErrorText,
  type EventOf,
  exitCodeOf,
  type Fault,
  type FrameRate,
  failContract,
  framesIn,
  type Hdr,
  httpStatusOf,
  INCOMPLETE_TAG,
  INDEX_PLAYLIST,
  isVidError,
  ladderRungs,
  type MediaUse,
  machineLocal,
  type ProgressReport,
  parseAs,
  parseJson,
  type RemoteCost,
  type RenderEvent,
  type RenderEventDraft,
  type RenderPlan,
  RenderPlanSchema,
  type RenderRequest,
  type RenderRequestInput,
  RenderRequestSchema,
  type RenderResult,
  type RenderStage,
  type Segment,
  type SettingName,
  type Size,
  type Static,
  schemaProblems,
  secondsOf,
  type TakenSetting,
  type Timing,
  type TObject,
  type TSchema,
  Type,
  usesCaptions,
  Value,
  VidError,
  type VidEvent,
  type Warning,
  WarningSchema,
  type WarningTable,
  type WarningText,
} from '@vid/protocol'
export type * from './contracts/blob-store.ts'
export type * from './contracts/checks.ts'
export type * from './contracts/composition-facts.ts'
export * from './contracts/define.ts'
export * from './contracts/hooks.ts'
export * from './contracts/input-sources.ts'
export type * from './contracts/kernel-types.ts'
export { noteOrigin, originOf } from './contracts/origin.ts'
export type * from './contracts/plugin.ts'
export * from './contracts/reading.ts'
export type * from './contracts/roles.ts'
export type * from './contracts/shared-pool.ts'
export type * from './contracts/source-files.ts'
export type * from './contracts/speech.ts'
export type * from './contracts/targets.ts'
export * from './frames/check-frames.ts'
export { sampledFrames } from './frames/frame-samples.ts'
export * from './frames/shared-frames.ts'
export * from './pipeline/capture-groups.ts'
export * from './pipeline/choose-encoders.ts'
export { createKernel, removeAbandonedWork } from './pipeline/kernel.ts'
export { render, renderOrPlan, sequentialTarget } from './pipeline/render.ts'
export { checkTarget, takesRequests } from './pipeline/request-target.ts'
export { mixSound } from './pipeline/sound.ts'
export { isSourceAddress, noSources } from './pipeline/sources.ts'
export * from './plan/draft-plan.ts'
export { frameRange } from './plan/frame-range.ts'
export { frameAt, type MomentBase } from './plan/moment.ts'
export * from './plan/plan-identity.ts'
export { segmentShape } from './plan/segment-shape.ts'
export { isSliceable, mostPages } from './plan/slices.ts'
export * from './plan/source-time.ts'
export * from './plan/split-frames.ts'
export * from './plugin-identity/graph.ts'
export { identifyCode } from './plugin-identity/identity.ts'
export type { FoundPackage } from './plugin-identity/packages.ts'
export { exclusivePool } from './pool/exclusive-pool.ts'
export { createPool } from './pool/pool.ts'
export { artifactBytes, foreignEntry, isFolderFile } from './results/artifact.ts'
export { besidePath, posterName, posterSuffixes } from './results/beside.ts'
export * from './results/files.ts'
export { placeArtifact } from './results/place.ts'
export { placeSidecars } from './results/sidecars.ts'
export { outputUnwritable } from './results/unwritable.ts'
export { blame } from './supervision/blame.ts'
export { retryMachineFaults, retrySegment } from './supervision/machine-retry.ts'
export { abortFailure, blameStray } from './supervision/stray.ts'
