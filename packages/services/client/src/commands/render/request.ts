import { type CommandRun, settingsOf } from '@vid/command'
import { shapeList, type Warning } from '@vid/protocol'
import { type CloudRenderInput, cloudSurface } from '../../contract/index.ts'
import { readLocalProject } from '../shared/project-source.ts'
import { cloudRenderOptions } from './options.ts'
import { type CloudPlaces, createPlaces } from './places.ts'
import { cloudFormatOf } from './problems.ts'

/** What `vid cloud render` runs with. */
export type CloudRenderRun = CommandRun<typeof cloudRenderOptions, { readonly dir: string | undefined }>

/** The task of `vid cloud render`, checked as far as this machine can. */
export interface CloudRenderTask {
  /** Everything but the project. */
  readonly body: Omit<CloudRenderInput, 'project'>
  /** Absolute folder to send; undefined for a project that is elsewhere. */
  readonly folder: string | undefined
  readonly places: CloudPlaces
  readonly warnings: readonly Warning[]
  /** Notes for the user before the render begins. */
  readonly notes: readonly string[]
}

/** Checks project and output; reports every problem as an error before anything is sent. */
export const readCloudRenderTask = async ({
  arguments: { dir },
  options,
  variables = {},
  cwd,
  signal,
}: Pick<CloudRenderRun, 'arguments' | 'options' | 'variables' | 'cwd' | 'signal'>): Promise<CloudRenderTask> => {
  const format = cloudFormatOf(options)
  const isLocal = options['asset-id'] === undefined && options.url === undefined
  const strict = options['strict-variables'] === true
  const { shapes: shapesText, entry = 'index.html', ...settings } = settingsOf(cloudRenderOptions, options)
  const local = isLocal
    ? await readLocalProject({ dir: dir ?? '.', entry, variables, strict }, { cwd, signal })
    : undefined
  const shapes = shapeList(shapesText)
  const ratio = shapes.length > 0 ? undefined : (options['aspect-ratio'] ?? (local ? local.aspectRatio : '16:9'))
  const callbackUrl = options['callback-url']
  const callbackId = options['callback-id']
  const file = options['variables-file']
  const places = createPlaces(options, {
    cwd,
    projectDir: local?.projectDir ?? cwd,
    inputs: [...(file === undefined ? [] : [file]), ...(local ? [`${local.projectDir}/${entry}`] : [])],
  })
  const warnings = options.wait === false ? [] : await places.check()
  return {
    body: {
      // One shape is that of the render; several are videos of their own.
      ...cloudSurface.write({
        fps: 30,
        quality: 'standard',
        ...settings,
        entry,
        format,
        variables,
        ...(shapes.length === 1 && { shapes: shapesText }),
      }),
      ...(shapes.length > 1 && { shapes }),
      resolution: options.resolution ?? '1080p',
      ...(ratio !== undefined && { aspect_ratio: ratio }),
      // The server checks projects that are elsewhere, and refuses mismatched values.
      ...(local && { strict_variables: strict }),
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
      ...(callbackId !== undefined && { callback_id: callbackId }),
    },
    folder: local?.projectDir,
    places,
    warnings: [...(local?.warnings ?? []), ...warnings],
    notes:
      local && ratio === undefined && shapes.length === 0
        ? [`the composition is ${local.size}, which is none of 16:9, 9:16 and 1:1; the video keeps its shape`]
        : [],
  }
}
