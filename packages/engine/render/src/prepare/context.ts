import type { MergeInput, Preset } from '@vid/config'
import { type Reading, readHere } from '@vid/kernel'
import type { RenderRequest, Spelling } from '@vid/protocol'

/** The environment of a program: everything that does not belong to one render. */
export interface RenderContext {
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /**
   * Folders from which a config file is searched upwards; the first one found wins. These are the composition's and
   * then the current folder, or only the current one for servers, since an uploaded composition must not run code. For a
   * copy of a project, they are named: its config may import what lies beside the project.
   */
  readonly configFrom: 'project' | 'cwd' | readonly string[]
  /** Presets that are always known; the first is the default, and fills in what another leaves out. */
  readonly presets: readonly Preset[]
  /** Free-form plugins that every render runs, before those of presets and config. */
  readonly plugins: MergeInput['plugins']
  readonly spelling: Spelling
  /** The most network access for pages, whatever a caller requests; everything if left out. */
  readonly maxNetwork?: RenderRequest['network']
  /**
   * True where another process asks and delivers, on another machine or outside of a container: the target and the
   * deliveries of the first preset are used, not those of the config.
   */
  readonly isRemoteSide: boolean
  /** Wraps the loading of the config, since its code may block this thread or never end; by default, just loads it. */
  readonly loading: <T>(load: () => Promise<T>) => Promise<T>
  /** Where texts of compositions are read: in this thread, but those of strangers in threads of a server. */
  readonly reading: Reading
}

/** The spelling of programs. */
const plain: Spelling = { name: (setting) => setting, source: (setting) => `setting ${setting}` }

/** Options for the environment of a program. */
export type ContextOptions = Partial<RenderContext>

/** Fills in defaults: this process, and the presets and plugins that come with vid. */
export const openContext = async (options: ContextOptions = {}): Promise<RenderContext> => {
  const { cwd = process.cwd(), env = process.env, configFrom = 'project', spelling = plain } = options
  const { loading = (load) => load(), reading = readHere } = options
  const presets = options.presets ?? (await import('./builtin.ts')).builtinPresets()
  const plugins = options.plugins ?? (await import('./builtin.ts')).builtinPlugins
  const { maxNetwork, isRemoteSide = false } = options
  return {
    cwd,
    env,
    configFrom,
    presets,
    plugins,
    spelling,
    isRemoteSide,
    loading,
    reading,
    ...(maxNetwork && { maxNetwork }),
  }
}
