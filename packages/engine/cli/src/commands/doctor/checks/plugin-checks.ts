import { noSources, type PluginOf } from '@vid/kernel'
import { loadProjectConfig } from '@vid/render'
import type { Bench } from '../bench.ts'
import type { Trial } from '../check.ts'

type Examined = PluginOf<'store'> | PluginOf<'target'> | PluginOf<'delivery'>

const trialOf = (
  { folder }: Bench,
  plugin: Examined | undefined,
  text: Pick<Trial, 'name' | 'required' | 'missing'>,
): Trial[] => {
  const { examine, options } = plugin ?? {}
  if (!examine || !options) return []
  return [
    {
      ...text,
      async look(signal) {
        const context = { options, signal, projectDir: folder, workDir: folder, sources: noSources }
        return { detail: await examine({ ...context, warn: () => {} }) }
      },
    },
  ]
}

const targetTrials = async (bench: Bench, projectDir: string): Promise<Trial[]> => {
  const { config, open } = bench
  const trials: Trial[] = []
  for (const name of config.targets) {
    const { setup } = name === config.target ? config : await loadProjectConfig(projectDir, { target: name }, open)
    trials.push(
      ...trialOf(bench, setup.target, {
        name: `target ${name}`,
        required: name === config.target,
        missing: name === 'docker' ? 'renders with --docker' : `renders with --target ${name}`,
      }),
    )
  }
  return trials
}

/** What the store, the targets and the deliveries of the config depend on: servers, credentials, a container engine. */
export const pluginTrials = async (bench: Bench, projectDir: string): Promise<readonly Trial[]> => {
  const { store, deliveries = [] } = bench.config.setup
  return [
    ...trialOf(bench, store, { name: 'store', required: false, missing: 'segments of earlier renders' }),
    ...deliveries.flatMap((delivery) =>
      trialOf(bench, delivery, {
        name: `delivery ${delivery.name}`,
        required: true,
        missing: 'delivered results',
      }),
    ),
    ...(await targetTrials(bench, projectDir)),
  ]
}
