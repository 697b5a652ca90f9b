import type { RenderEventDraft, RenderStage } from '@vid/protocol'

/** Progress of a render; joining and delivering take the last two percent. */
export const progressOf = (stage: RenderStage, framesRendered: number, totalFrames: number): RenderEventDraft => {
  const progress = stage === 'deliver' ? 1 : totalFrames && (framesRendered / totalFrames) * 0.98
  return { type: 'render-progress', stage, progress, framesRendered, totalFrames }
}
