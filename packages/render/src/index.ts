export type { BatchEvent, SegmentCount } from './batch/batch-events.ts'
export type { Manifest, ManifestRow } from './batch/manifest.ts'
export { type BatchSettings, type PlannedBatch, planBatch } from './batch/plan-batch.ts'
export { type BatchRow, checkRows, readRows } from './batch/rows.ts'
export { type BatchOptions, batchFailure, runBatch } from './batch/run-batch.ts'
export type { EndedRow } from './batch/run-row.ts'
export { cleanCache } from './clean-cache.ts'
export { type ForwardedRequest, renderRequest } from './elsewhere/render-request.ts'
export { renderErrors, throwErrors } from './errors.ts'
export { codedError } from './failure/coded-error.ts'
export type { CaptureCheck, CheckedFrame, CheckOptions } from './inspect/capture-check.ts'
export { type Inspection, type InspectOptions, inspectRender } from './inspect/inspection.ts'
export { redact } from './inspect/redact.ts'
export { countFindings, findingLine } from './lint/findings.ts'
export { type FarLint, lintFar } from './lint/lint-far.ts'
export { type Finding, lintFolder } from './lint/lint-folder.ts'
export { refuseErrors } from './lint/refuse-errors.ts'
export { checkExtension } from './outputs/choose-outputs.ts'
export { type FarOutput, placeOutput } from './outputs/place-output.ts'
export type { FinishedPlan } from './parts/join-parts.ts'
export type { PlanOptions, RendererCallOptions } from './parts/part-context.ts'
export type { PlannedRender } from './parts/plan-parts.ts'
export type { RendererParts } from './parts/renderer-parts.ts'
export type { RenderedSegment, SegmentPaths } from './parts/segment-files.ts'
export type { SegmentPart } from './parts/segment-part.ts'
export type { PlacedSegment, RenderedSegments, SegmentsPart } from './parts/segments-part.ts'
export { type AskedComposition, type FarComposition, readComposition } from './prepare/composition.ts'
export { type ContextOptions, openContext, type RenderContext, type Spelling } from './prepare/context.ts'
export { type EncoderFacts, encoderFacts } from './prepare/encoder-facts.ts'
export { readGivenFile } from './prepare/given-file.ts'
export { findLeftBehind } from './prepare/left-behind.ts'
export { type PreparedRender, prepareRender } from './prepare/prepare.ts'
export { loadProjectConfig } from './prepare/project-config.ts'
export { defined, type RenderSettings, type WantedOutput } from './prepare/settings.ts'
export {
  type RenderedFile,
  type RenderOptions,
  type RenderOutcome,
  render,
  renderPrepared,
} from './render.ts'
export { createRenderer, type Renderer, type RendererOptions } from './renderer.ts'
export {
  type Snapshot,
  type Snapshots,
  type StillOptions,
  type StillSettings,
  takeStills,
} from './stills/take-stills.ts'
export { renderWarnings } from './warnings.ts'
