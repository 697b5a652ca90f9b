import { checkRequest, type KernelSetup, type RenderRequest } from '@vid/kernel'
import type { RenderContext } from '../prepare/context.ts'
import { chooseDrawing } from '../prepare/drawing.ts'
import { limitNetwork } from '../prepare/network.ts'
import { loadProjectConfig } from '../prepare/project-config.ts'
import { chooseScale, defined, type RenderSettings } from '../settings.ts'
import { smallScale } from './small-scale.ts'
import { STILL_FORMAT } from './still-encoder.ts'

/** Which composition is looked at, and how it is drawn. */
export interface FilmSettings
  extends Pick<
    RenderSettings,
    | 'browserGpu'
    | 'captions'
    | 'projectDir'
    | 'raster'
    | 'entry'
    | 'force'
    | 'fps'
    | 'from'
    | 'inputs'
    | 'network'
    | 'preset'
    | 'resolution'
    | 'scale'
    | 'shapes'
    | 'strict'
    | 'strictVariables'
    | 'to'
    | 'variables'
  > {
  /** Makes undrawn areas transparent. */
  readonly alpha?: boolean
  /**
   * Length that the longer side of the picture is near to, in pixels, in place of a scale: for pictures that are
   * compared.
   */
  readonly side?: number
}

/** The request of a film, with the plugins of its config. */
export interface FilmRequest {
  readonly setup: KernelSetup
  readonly request: RenderRequest
  /** The config file, if there is one. */
  readonly config: string | undefined
}

/** The checked request of a film with pictures in the folder `output`, without HDR. */
export const filmRequest = async (
  settings: FilmSettings,
  { projectDir, output }: { readonly projectDir: string; readonly output: string },
  context: RenderContext,
  signal: AbortSignal,
): Promise<FilmRequest> => {
  const { browserGpu, raster, preset, fps, scale, resolution, side, network } = settings
  const { strict, strictVariables, entry, variables, captions, from, to, shapes } = settings
  // A picture is requested because something changed, so it is always captured again.
  const size = defined(
    side === undefined
      ? { scale, resolution }
      : { scale: await smallScale({ projectDir, side, ...defined({ entry, shape: shapes }) }, signal) },
  )
  const flags = {
    ...defined({ browserGpu, raster, preset, fps, ...size, network, strict, strictVariables }),
    cache: false,
  }
  const { setup, render, file } = await loadProjectConfig(projectDir, flags, context)
  const request: RenderRequest = checkRequest({
    projectDir,
    output,
    format: STILL_FORMAT,
    sdr: true,
    ...(settings.force && { force: true }),
    ...defined({
      entry,
      captions,
      // A film is looked at as it is written, also where the config has its renders in other shapes.
      shapes,
      from,
      to,
      fps: render.fps,
      network: render.network,
      loudness: render.loudness,
      strict: render.strict,
      strictVariables: render.strictVariables,
    }),
    ...chooseScale(size, side === undefined ? render : {}),
    ...limitNetwork(undefined, render.network, context),
    ...chooseDrawing({}, render, context),
    variables: { ...render.variables, ...variables },
  })
  return { setup, request, config: file }
}
