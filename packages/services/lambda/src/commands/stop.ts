import { defineCommand, type OptionTable, outputOptions } from '@vid/command'
import { stackPlaceOptions } from './shared/options.ts'

const lambdaStopOptions = { ...stackPlaceOptions, ...outputOptions } as const satisfies OptionTable

/** `vid lambda stop <render>`. */
export const lambdaStopCommand = defineCommand({
  path: 'lambda stop',
  summary: 'Stop a render on AWS Lambda, by its id or the ARN of its execution.',
  details:
    'No further calls start; running calls end within 15 minutes. A video that is published while it is rendered ends there.',
  arguments: [{ name: 'render' }],
  options: lambdaStopOptions,
  examples: [['A render', 'vid lambda stop 7kq2f']],
  async run(run) {
    const [{ stopRender }, { placeFromOptions, renderIdOf }] = await Promise.all([
      import('../renders/stop-render.ts'),
      import('./shared/place.ts'),
    ])
    const { render } = run.arguments
    const place = await placeFromOptions(run.options, run, render)
    const renderId = renderIdOf(render)
    await stopRender({ ...place, renderId, signal: run.signal })
    return { renderId }
  },
  text: ({ renderId }) => renderId,
})
