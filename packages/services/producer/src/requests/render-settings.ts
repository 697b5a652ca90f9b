import {
  type ProducerRender,
  type ProducerSnapshot,
  producerRenderSettings,
  producerStillSettings,
} from '@vid/client/contract'
import { defined, pick } from '@vid/protocol'
import type { RenderSettings, StillSettings } from '@vid/render'
import type { ProducerSettings } from '../options.ts'

/** Memory of one worker: a browser and an encoder with room to spare. */
const WORKER_BYTES = 2 ** 30

/** The requested number of workers, limited by the render's share of the memory. */
const chooseWorkers = (
  requested: ProducerRender['workers'],
  { memoryBytes, maxConcurrentRenders }: MachineSettings,
): ProducerRender['workers'] => {
  const most = Math.max(1, Math.floor(memoryBytes / maxConcurrentRenders / WORKER_BYTES))
  return typeof requested === 'number' ? Math.min(requested, most) : requested
}

/** Fields of a body that become settings of the same name; no other field does. */
const SHARED_BY_RENDERS = [
  ...producerRenderSettings.filter((name) => name !== 'format' && name !== 'workers'),
  'preset',
  'fresh',
] as const
const SHARED_BY_STILLS = [...producerStillSettings, 'preset', 'at', 'count', 'alpha'] as const

type MachineSettings = Pick<ProducerSettings, 'memoryBytes' | 'maxConcurrentRenders'>

/** The settings of a requested render: the composition in `projectDir`, its result at `output`. */
export const requestedSettings = (
  body: ProducerRender,
  places: { readonly projectDir: string; readonly output: string },
  settings: MachineSettings,
): RenderSettings => {
  const { entryFile, format, workers } = body
  const formats = [...new Set((format ?? '').split(',').map((name) => name.trim()))].filter(Boolean)
  // All formats share a path; each gets its own extension.
  const outputs = formats.map((name) => ({ format: name, output: places.output }))
  return {
    ...pick(body, SHARED_BY_RENDERS),
    ...defined({ workers: chooseWorkers(workers, settings) }),
    ...(entryFile !== undefined && { entry: entryFile }),
    ...(formats.length > 1
      ? { outputs }
      : { ...(formats[0] !== undefined && { format: formats[0] }), output: places.output }),
    projectDir: places.projectDir,
  }
}

/** The settings of the requested stills. */
export const stillSettings = (
  body: ProducerSnapshot,
  places: { readonly projectDir: string; readonly output: string },
): StillSettings => {
  const { entryFile } = body
  return {
    ...pick(body, SHARED_BY_STILLS),
    ...(entryFile !== undefined && { entry: entryFile }),
    ...places,
  }
}
