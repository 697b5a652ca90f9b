import type { KernelSetup } from '@vid/kernel'
import {
  checkRequest,
  defined,
  pick,
  type RenderRequest,
  type RequestSetting,
  requestSettings,
  type SettingName,
  type SettingScope,
} from '@vid/protocol'
import type { RenderContext } from '../prepare/context.ts'
import { chooseDrawing } from '../prepare/drawing.ts'
import { limitNetwork } from '../prepare/network.ts'
import { loadProjectConfig } from '../prepare/project-config.ts'
import { chooseScale, type RenderSettings } from '../settings.ts'
import { smallScale } from './small-scale.ts'
import { STILL_FORMAT } from './still-encoder.ts'

type Table = typeof requestSettings
type SettingOf<S extends SettingScope> = {
  [K in SettingName]: Table[K]['scope'] extends S ? K : never
}[SettingName]

/** Settings that decide what is seen of a composition, which is looked at without HDR. */
type Seen = Exclude<SettingOf<'source' | 'picture'>, 'hdr' | 'sdr'>

/** Which composition is looked at, and how it is drawn. */
export interface CompositionSettings
  extends Pick<RenderSettings, Seen | 'browserGpu' | 'force' | 'inputs' | 'preset' | 'projectDir' | 'raster'> {
  /** Makes undrawn areas transparent. */
  readonly alpha?: boolean
  /**
   * Length that the longer side of the picture is near to, in pixels, in place of a scale: for pictures that are
   * compared.
   */
  readonly side?: number
}

/** Settings whose values in the config are for its renders: a composition is looked at as it is written, with its captions. */
const AS_WRITTEN: ReadonlySet<string> = new Set(['captions', 'shapes'])
/** Settings that are chosen by more than their value. */
const CHOSEN: ReadonlySet<string> = new Set(['hdr', 'network', 'resolution', 'scale', 'sdr', 'variables'])

const namesOf = (fits: (name: string, setting: RequestSetting) => boolean): readonly SettingName[] =>
  Object.entries<RequestSetting>(requestSettings)
    .filter(([name, setting]) => ['source', 'picture', 'sound'].includes(setting.scope) && !CHOSEN.has(name))
    .filter(([name, setting]) => fits(name, setting))
    .map(([name]) => name as SettingName)

const isMerged = (name: string, { configurable }: RequestSetting) => configurable && !AS_WRITTEN.has(name)
/** Settings of a composition that a config and a preset may have too. */
const MERGED = namesOf(isMerged)
/** Settings of a composition that only its caller has. */
const OWN = namesOf((name, setting) => !isMerged(name, setting))

/** The request of a composition, with the plugins of its config. */
export interface CompositionRequest {
  readonly setup: KernelSetup
  readonly request: RenderRequest
  /** The config file, if there is one. */
  readonly config: string | undefined
}

/** The checked request of a composition with pictures in the folder `output`, without HDR. */
export const compositionRequest = async (
  settings: CompositionSettings,
  { projectDir, output }: { readonly projectDir: string; readonly output: string },
  context: RenderContext,
  signal: AbortSignal,
): Promise<CompositionRequest> => {
  const { browserGpu, raster, preset, scale, resolution, side, network, entry, shapes } = settings
  // A picture is requested because something changed, so it is always captured again.
  const size = defined(
    side === undefined
      ? { scale, resolution }
      : { scale: await smallScale({ projectDir, side, ...defined({ entry, shape: shapes }) }, signal) },
  )
  const flags = {
    ...pick<Partial<RenderRequest>, SettingName>(settings, MERGED),
    ...defined({ browserGpu, raster, preset, ...size, network }),
    cache: false,
  }
  const { setup, render, file } = await loadProjectConfig(projectDir, flags, context)
  const request: RenderRequest = checkRequest({
    ...pick(render as Partial<RenderRequest>, MERGED),
    ...pick<Partial<RenderRequest>, SettingName>(settings, OWN),
    projectDir,
    output,
    format: STILL_FORMAT,
    sdr: true,
    ...(settings.force && { force: true }),
    ...chooseScale(size, side === undefined ? render : {}),
    ...limitNetwork(undefined, render.network, context),
    ...chooseDrawing({}, render, context),
    variables: { ...render.variables, ...settings.variables },
  })
  return { setup, request, config: file }
}
