import type { CommandRun } from '@vid/command'
import { type CloudRenderInput, cloudFormats, type FrameRate, type Warning } from '@vid/kernel'
import { placeOutput } from '@vid/render'
import { cloudFps } from '../../cloud/frame-rate.ts'
import { readLocalProject } from '../shared/project-source.ts'
import type { cloudRenderOptions } from './options.ts'
import { formatOf } from './problems.ts'

/** What `vid cloud render` runs with. */
export type CloudRenderRun = CommandRun<typeof cloudRenderOptions, { readonly dir: string | undefined }>

/** The task of `vid cloud render`, checked as far as this machine can. */
export interface CloudRenderTask {
  /** Everything but the project. */
  readonly body: Omit<CloudRenderInput, 'project'>
  /** Absolute folder to send; undefined for a project that is elsewhere. */
  readonly folder: string | undefined
  /** Resolves the path for the video of a render; checks again that it may be written. */
  placeFor(renderId: string): Promise<string>
  readonly warnings: readonly Warning[]
  /** Notes for the user before the render begins. */
  readonly notes: readonly string[]
}

/** Checks project and output; reports every problem as an error before anything is sent. */
export const readRenderTask = async ({
  arguments: { dir },
  options,
  variables = {},
  cwd,
  signal,
}: Pick<CloudRenderRun, 'arguments' | 'options' | 'variables' | 'cwd' | 'signal'>): Promise<CloudRenderTask> => {
  const format = formatOf(options)
  const isLocal = options['asset-id'] === undefined && options.url === undefined
  const strict = options['strict-variables'] === true
  const { composition: entry = 'index.html' } = options as { composition?: string }
  const local = isLocal
    ? await readLocalProject({ dir: dir ?? '.', entry, variables, strict }, { cwd, signal })
    : undefined
  const ratio = options['aspect-ratio'] ?? (local ? local.aspectRatio : '16:9')
  const { output, quality = 'standard', resolution = '1080p', fps = 30, loudness, captions, ladder } = options
  const isFolder = format === 'hls'
  const callbackUrl = options['callback-url']
  const callbackId = options['callback-id']
  const file = options['variables-file']
  const placeAt = (path: string) =>
    placeOutput(
      {
        output: path,
        format,
        isFolder,
        formats: cloudFormats,
        force: options.force === true,
        isFormatChosen: options.format !== undefined,
        projectDir: local?.projectDir ?? cwd,
        inputs: [...(file === undefined ? [] : [file]), ...(local ? [`${local.projectDir}/${entry}`] : [])],
      },
      cwd,
    )
  const pathFor = (renderId: string) => output ?? `renders/${renderId}${isFolder ? '' : `.${format}`}`
  const { warnings } = options.wait === false ? { warnings: [] } : await placeAt(pathFor('render'))
  return {
    body: {
      fps: cloudFps(fps as FrameRate) ?? 30,
      quality,
      format,
      resolution,
      composition: entry,
      variables,
      ...(loudness !== undefined && { loudness }),
      ...(captions !== undefined && { captions }),
      ...(ladder !== undefined && { ladder }),
      ...(ratio !== undefined && { aspect_ratio: ratio }),
      // The server checks projects that are elsewhere, and refuses mismatched values.
      ...(local && { strict_variables: strict }),
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
      ...(callbackId !== undefined && { callback_id: callbackId }),
    },
    folder: local?.projectDir,
    placeFor: async (renderId) => (await placeAt(pathFor(renderId))).path,
    warnings: [...(local?.warnings ?? []), ...warnings],
    notes:
      local && ratio === undefined
        ? [`the composition is ${local.size}, which is none of 16:9, 9:16 and 1:1; the video keeps its shape`]
        : [],
  }
}
