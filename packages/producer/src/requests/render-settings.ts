import type { ProducerRender, ProducerSnapshot } from '@vid/kernel'
import { defined, type RenderSettings, type StillSettings } from '@vid/render'
import { fail } from '../errors.ts'
import type { ProducerSettings } from '../options.ts'

const NETWORKS = ['none', 'declared', 'public'] as const

/** What the page of a request may have fetched; more than the server allows is refused. */
const chooseNetwork = (asked: ProducerRender['network'], { network }: Pick<ProducerSettings, 'network'>) => {
  const chosen = asked ?? network
  const allowed = NETWORKS.slice(0, NETWORKS.indexOf(network) + 1)
  if (!allowed.includes(chosen)) throw fail('VID_PRODUCER_NETWORK', { network: chosen, allowed })
  return chosen
}

/** The settings of a render that a body asks for, of the composition in `projectDir`, with its result at `output`. */
export const renderSettings = (
  body: ProducerRender,
  places: { readonly projectDir: string; readonly output: string },
  settings: Pick<ProducerSettings, 'network'>,
): RenderSettings => {
  const {
    projectDir: _dir,
    html: _html,
    project: _project,
    outputPath: _path,
    timeoutMs: _timeout,
    ...asked
  } = body
  const { entryFile, format, ...shared } = asked
  const formats = [...new Set((format ?? '').split(',').map((name) => name.trim()))].filter(Boolean)
  // One path for several formats: each gets its own extension.
  const outputs = formats.map((name) => ({ format: name, output: places.output }))
  return {
    ...defined(shared),
    ...(entryFile !== undefined && { entry: entryFile }),
    ...(formats.length > 1
      ? { outputs }
      : { ...(formats[0] !== undefined && { format: formats[0] }), output: places.output }),
    projectDir: places.projectDir,
    network: chooseNetwork(body.network, settings),
  }
}

/** The settings of the stills that a body asks for. */
export const stillSettings = (
  body: ProducerSnapshot,
  places: { readonly projectDir: string; readonly output: string },
  settings: Pick<ProducerSettings, 'network'>,
): StillSettings => {
  const { projectDir: _dir, html: _html, project: _project, timeoutMs: _timeout, entryFile, ...shared } = body
  return {
    ...defined(shared),
    ...(entryFile !== undefined && { entry: entryFile }),
    ...places,
    network: chooseNetwork(body.network, settings),
  }
}
