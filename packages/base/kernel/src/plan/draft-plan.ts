import { type RenderPlan, secondsOf } from '@vid/protocol'

/** A plan of one frame of one pixel, for plugins on the plan hook to fill in. */
export const draftPlan = (
  entry: string,
  request: Pick<
    RenderPlan,
    'fps' | 'variables' | 'format' | 'alpha' | 'videoFrameFormat' | 'network' | 'capture' | 'encoder' | 'outputs'
  >,
): RenderPlan => ({
  version: 1,
  composition: { entry, id: '', digest: '', stateful: true },
  width: 1,
  height: 1,
  frames: 1,
  duration: secondsOf(1, request.fps),
  segments: [{ index: 0, start: 0, frames: 1 }],
  audio: [],
  media: [],
  taps: [],
  ...request,
})

/** One plan for each output, the first first: each as if it were rendered alone. */
export const outputPlans = ({ outputs = [], ...plan }: RenderPlan): RenderPlan[] => [
  plan,
  ...outputs.map((output) => ({ ...plan, ...output })),
]
