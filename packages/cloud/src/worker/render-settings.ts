import { join } from 'node:path'
import type { CloudRender } from '@vid/kernel'
import type { RenderSettings } from '@vid/render'
import type { ShapedProject } from './shaped-project.ts'

/** The settings of a render with its output in a folder. */
export const settingsOf = (
  request: CloudRender,
  { folder, picture }: ShapedProject,
  common: Pick<RenderSettings, 'preset' | 'target' | 'workers'>,
  workDir: string,
): RenderSettings & { readonly output: string } => ({
  ...common,
  projectDir: folder,
  entry: request.composition,
  // A path without an extension fits the formats that make a folder.
  output: join(workDir, request.format === 'hls' ? 'video' : `video.${request.format}`),
  format: request.format,
  fps: request.fps,
  quality: request.quality,
  ...(request.shape !== undefined && { shapes: request.shape }),
  ...(request.codec !== undefined && { codec: request.codec }),
  ...(request.poster !== undefined && { poster: request.poster }),
  ...(request.loudness !== undefined && { loudness: request.loudness }),
  ...(request.captions !== undefined && { captions: request.captions }),
  ...(request.ladder !== undefined && { ladder: request.ladder }),
  resolution: `${picture.width}x${picture.height}`,
  variables: request.variables,
  strictVariables: request.strict_variables,
})
