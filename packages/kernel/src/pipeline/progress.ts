import type { RenderEventDraft, RenderStage } from '@vid/protocol'

/** How far a render is; joining and delivering take the last two hundredths. */
export const progressOf = (
  stage: RenderStage,
  framesRendered: number,
  totalFrames: number,
): RenderEventDraft => {
  const progress = stage === 'deliver' ? 1 : totalFrames && (framesRendered / totalFrames) * 0.98
  return { type: 'render-progress', stage, progress, framesRendered, totalFrames }
}
