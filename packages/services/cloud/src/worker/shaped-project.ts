import { join } from 'node:path'
import type { CloudRender } from '@vid/client/contract'
import { readFactsTask, resizedEntryTask } from '@vid/core'
import type { Reading } from '@vid/kernel'
import { copyWithText } from '@vid/project'
import type { Size } from '@vid/protocol'
import { fail } from '../errors.ts'
import { chooseSize } from './size.ts'

/** A project in the shape that a render needs. */
export interface ShapedProject {
  /** Absolute folder. */
  readonly folder: string
  /** Size of the picture in pixels. */
  readonly picture: Size
}

/** Returns the uploaded project, or, for a picture of another aspect ratio, a copy whose entry file has another size. */
export const shapeProject = async (
  folder: string,
  request: Pick<CloudRender, 'composition' | 'resolution' | 'aspect_ratio' | 'shape'>,
  options: { readonly workDir: string; readonly reading: Reading; readonly signal: AbortSignal },
): Promise<ShapedProject> => {
  const { composition: entry, shape } = request
  const { reading, signal } = options
  const composition = await reading(readFactsTask, { projectDir: folder, entry, shape }, signal)
  const { layout, picture } = chooseSize(composition, request)
  // A shape is written into the text wherever the entry is read.
  if (!layout) return { folder, picture }
  const resized = await reading(resizedEntryTask, { projectDir: folder, entry, shape, layout }, signal)
  if (resized === undefined) throw fail('VID_CLOUD_SHAPE', { entry })
  const copy = join(options.workDir, 'project')
  await copyWithText(folder, copy, { file: composition.file, text: resized })
  return { folder: copy, picture }
}
