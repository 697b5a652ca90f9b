import { defined, type RenderRequest } from '@vid/protocol'

/** One file of a render: its format, and its path if it is not to be chosen. */
export interface WantedOutput {
  readonly format: string
  /** From the current folder. */
  readonly output?: string | undefined
}

/**
 * The settings of a caller. Paths are relative to the current folder of the context; settings that are left out come from
 * the config, the preset or the defaults of `requestSettings`.
 */
export interface RenderSettings extends Readonly<Partial<Omit<RenderRequest, 'projectDir' | 'outputs' | 'variables'>>> {
  /** Folder of the composition, the current folder if left out. */
  readonly projectDir?: string
  /** One format or several, separated by commas; without it, the extension of `output` names it. */
  readonly format?: string
  /** Several files, in place of `format`. */
  readonly outputs?: readonly WantedOutput[]
  readonly variables?: Readonly<Record<string, unknown>>
  /** Further files that these settings were read from, which no output may replace. */
  readonly inputs?: readonly string[]
  /** Name of the preset to start from. */
  readonly preset?: string
  /** Name of the target to render on. */
  readonly target?: string
  /** False to reuse no finished segment and to keep none. */
  readonly cache?: boolean
  /** True to render every segment again, and store it. */
  readonly fresh?: boolean
}

/** The requested size of the picture, which replaces a size of the other kind in the config. */
export const chooseScale = (
  settings: Pick<RenderSettings, 'scale' | 'resolution'>,
  merged: Pick<Partial<RenderRequest>, 'scale' | 'resolution'>,
): Pick<RenderSettings, 'scale' | 'resolution'> => {
  const { scale, resolution } = settings.scale === undefined && settings.resolution === undefined ? merged : settings
  return defined({ scale, resolution })
}
