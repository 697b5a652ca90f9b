import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { blame, type PluginIdentity, type SpeechContext } from '@vid/kernel'
import { untilAborted } from '@vid/system'

/** A plugin for speech, as far as both roles are the same. */
export type SpeechPlugin = PluginIdentity & { build?(context: SpeechContext): Promise<string> }

/** Calls functions of a plugin, each with an empty folder; what they throw becomes an error of the plugin. */
export const askPlugin = (plugin: SpeechPlugin, folder: string, signal: AbortSignal) => {
  let count = 0
  const call = async <T>(hook: string, work: (context: SpeechContext) => Promise<T>): Promise<T> => {
    count += 1
    const workDir = join(folder, `work-${count}`)
    await mkdir(workDir)
    try {
      return await untilAborted(work({ options: plugin.options, signal, workDir }), signal)
    } catch (thrown) {
      signal.throwIfAborted()
      throw blame(thrown, plugin.name, hook)
    }
  }
  return {
    call,
    build: async (): Promise<string> => (await call('build', async (context) => plugin.build?.(context))) ?? '',
  }
}
