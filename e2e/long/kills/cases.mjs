// Which process is killed when, in which kind of render.

const PAGE_STAGES = ['launch', 'load', 'inspect', 'plan', 'lane check', 'first frame']
const of = (stages, victims, renders) =>
  stages.flatMap((stage) => victims.flatMap((victim) => renders.map((render) => ({ stage, victim, ...render }))))
const mp4 = { format: 'mp4', workers: 1 }
const mp4Two = { format: 'mp4', workers: 2 }
const webm = { format: 'webm', workers: 1 }
const webmTwo = { format: 'webm', workers: 2 }
const mov = { format: 'mov', workers: 1 }
const gif = { format: 'gif', workers: 1 }
const pngs = { format: 'png-sequence', workers: 1 }

/** All 60 runs; every second one has a former result at its output. */
export const cases = [
  ...of(PAGE_STAGES, ['browser', 'renderer', 'command'], [mp4]),
  ...of(['probe'], ['program', 'command'], [mp4]),
  ...of(['mid capture'], ['browser', 'renderer', 'ffmpeg', 'command'], [mp4Two, webmTwo]),
  ...of(['mid capture'], ['browser', 'command'], [pngs]),
  ...of(['encode'], ['program', 'command'], [mp4, mp4Two, webm, mov, gif]),
  ...of(['join'], ['program', 'command'], [mp4, mp4Two, webm]),
  ...of(['join mov'], ['program', 'command'], [mov]),
  ...of(['mix'], ['program', 'command'], [mp4, pngs]),
  ...of(['verify'], ['program', 'command'], [mp4]),
  ...of(['verify picture'], ['program', 'command'], [mp4]),
  ...of(['deliver'], ['command'], [mp4, mov, gif, pngs]),
].map((scenario, index) => ({ ...scenario, number: index + 1, hasFormer: index % 2 === 1 }))
