import type { CommandRun, OptionTable } from '@vid/command'
import { checkPlugins } from '@vid/kernel'
import { loadProjectConfig, openContext } from '@vid/render'

/** The programs for speech of the config of the current folder, and where it is in words. */
export const loadSpeechPlugins = async ({
  cwd,
  env,
  spelling,
  unguarded,
}: Pick<CommandRun<OptionTable>, 'cwd' | 'env' | 'spelling' | 'unguarded'>) => {
  const context = await openContext({ cwd, env, spelling, loading: unguarded, configFrom: 'cwd' })
  const { file, transcriber, speaker } = await loadProjectConfig(cwd, {}, context)
  checkPlugins([...(transcriber ? [transcriber] : []), ...(speaker ? [speaker] : [])])
  return { config: file ?? `${cwd} or a folder above it`, transcriber, speaker }
}
