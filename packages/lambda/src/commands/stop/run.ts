import type { CommandRun } from '@vid/command'
import { stopRender } from '../../renders/stop-render.ts'
import { placeOf, renderIdOf } from '../shared/place.ts'
import type { lambdaStopOptions } from './options.ts'

/** `vid lambda stop`: ends a render. */
export const runLambdaStop = async (run: CommandRun<typeof lambdaStopOptions, { readonly render: string }>) => {
  const { render } = run.arguments
  const place = await placeOf(run.options, run, render)
  const renderId = renderIdOf(render)
  await stopRender({ ...place, renderId, signal: run.signal })
  return { renderId }
}
