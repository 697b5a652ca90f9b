import type { SetupOrigin } from '@vid/kernel'
import { defined, type RenderEvent, type RenderRequest, type RenderResult, type Warning } from '@vid/protocol'
import { createRenderer } from './renderer/renderer.ts'
import type { RenderSettings } from './settings.ts'

/** A checked request of another process, with the places of this one. */
export interface ForwardedRequest extends Partial<SetupOrigin> {
  readonly request: RenderRequest
  /** Absolute paths of the results, in the order of the outputs. */
  readonly paths: readonly string[]
  /** Absolute folder in which a config is searched, upwards. */
  readonly configDir: string
  /** Absolute folder that kept segments belong to. */
  readonly storeDir: string
  /** Whether pages may have fetched what the request allows. */
  readonly network: boolean
}

/** The callbacks and the signal of a forwarded render. */
export interface ForwardedOptions {
  readonly signal: AbortSignal
  onEvent(event: RenderEvent): void
}

/** The settings equal to a request, so that the local config changes none of them. */
const settingsOf = ({ request, paths, preset, cache, fresh }: ForwardedRequest): RenderSettings => {
  // The other process has linted.
  const { format, output: _output, outputs, strict: _strict, ...shared } = request
  const formats = [format, ...outputs.map((output) => output.format)]
  return {
    ...defined({ ...shared, preset, cache }),
    ...(fresh && { fresh }),
    outputs: formats.map((name, index) => ({ format: name, output: paths[index] })),
    force: true,
  }
}

/** The other process has already warned about the request, so this one sets every default. */
const isNews = ({ code }: Warning): boolean => code !== 'VID_FLAG_WITHOUT_EFFECT'

/**
 * Renders a request that another process has checked, on this machine, with the plugins of the config here; nothing is
 * delivered elsewhere, and no other target renders instead.
 */
export const renderRequest = async (
  forwarded: ForwardedRequest,
  { signal, onEvent }: ForwardedOptions,
): Promise<RenderResult> => {
  const renderer = await createRenderer({
    cwd: forwarded.configDir,
    configFrom: 'cwd',
    storeDir: forwarded.storeDir,
    isRemoteSide: true,
    ...(forwarded.network ? {} : { maxNetwork: 'none' }),
  })
  try {
    const { network, ...others } = settingsOf(forwarded)
    // Without a network, a request that allows more is not refused; pages simply have none.
    const settings = { ...others, ...(forwarded.network && defined({ network })) }
    const { results } = await renderer.render(settings, {
      signal,
      onEvent: (event) => {
        if (event.type !== 'warning' || isNews(event.warning)) onEvent(event)
      },
    })
    const [result, ...more] = results
    if (!result || more.length > 0) throw new Error(`${results.length} captures for one request`)
    return { ...result, warnings: result.warnings.filter(isNews) }
  } finally {
    await renderer.close()
  }
}
