import { join } from 'node:path'
import { type CloudRender, cloudSurface } from '@vid/client/contract'
import type { RenderSettings } from '@vid/render'
import type { ShapedProject } from './shaped-project.ts'

/** The settings of a render with its output in a folder. */
export const renderSettingsOf = (
  request: CloudRender,
  { folder, picture }: ShapedProject,
  common: Pick<RenderSettings, 'preset' | 'target' | 'workers'>,
  workDir: string,
): RenderSettings & { readonly output: string } => ({
  ...common,
  ...cloudSurface.read(request),
  projectDir: folder,
  // A path without an extension fits the formats that make a folder.
  output: join(workDir, request.format === 'hls' ? 'video' : `video.${request.format}`),
  resolution: `${picture.width}x${picture.height}`,
})
