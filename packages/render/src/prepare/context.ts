import type { MergeInput, Preset } from '@vid/config'

/** How a caller spells settings, so that messages and sources name what its user wrote. */
export interface Spelling {
  /** A setting as its user writes it, such as `--crf`. */
  name(setting: string): string
  /** Where the value of a setting comes from, such as `flag --crf`. */
  source(setting: string): string
}

/** Where a program renders: everything that is not of one render. */
export interface RenderContext {
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /**
   * Folders in which a config file is looked for, each upwards, the first with one wins: that of the composition and then
   * the current one, or the current one alone, for servers: an uploaded composition must not bring code.
   */
  readonly configFrom: 'project' | 'cwd'
  /** Presets that are always known; the first is the default, and fills in what another leaves out. */
  readonly presets: readonly Preset[]
  /** Free-form plugins that every render runs, before those of presets and config. */
  readonly plugins: MergeInput['plugins']
  readonly spelling: Spelling
}

/** The spelling of programs. */
const plain: Spelling = { name: (setting) => setting, source: (setting) => `setting ${setting}` }

/** What a program may say of the place where it renders. */
export type ContextOptions = Partial<RenderContext>

/** Fills in what a caller leaves out: this process, and the presets and plugins that come with vid. */
export const openContext = async (options: ContextOptions = {}): Promise<RenderContext> => {
  const { cwd = process.cwd(), env = process.env, configFrom = 'project', spelling = plain } = options
  const presets = options.presets ?? (await import('./builtin.ts')).builtinPresets()
  const plugins = options.plugins ?? (await import('./builtin.ts')).builtinPlugins
  return { cwd, env, configFrom, presets, plugins, spelling }
}
