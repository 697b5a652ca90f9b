import { numberFrom, type Option, type OptionTable, renderOptions, surfaceOptions } from '@vid/command'
import { cloudAspectRatios, cloudResolutions, cloudSurface } from '../../contract/index.ts'

const MAX_POLL_S = 3600
const MIN_POLL_S = 0.1

const MIN_WAIT_MIN = 0.01
const MAX_WAIT_MIN = 10_080

/** Options of the settings of the hosted API. */
export const cloudOptions = surfaceOptions(cloudSurface, {
  format: { about: 'output format; webm and mov carry alpha, hls is a folder that streams' },
  shapes: { about: 'shapes that the composition is laid out for by its data-shape, each a video' },
  captions: { about: 'captions: burn draws them; track adds text tracks to the video', default: 'burn' },
  poster: renderOptions.poster,
})

/** Options of the commands that render remotely. */
export const remoteRenderOptions = {
  'aspect-ratio': {
    kind: 'choice',
    choices: cloudAspectRatios,
    about: 'shape of the picture',
    default: "the composition's own",
  },
  captions: cloudOptions.captions,
  composition: renderOptions.composition,
  variables: renderOptions.variables,
  'variables-file': renderOptions['variables-file'],
  'strict-variables': renderOptions['strict-variables'],
  'poll-interval': {
    kind: 'text',
    rule: `seconds from ${MIN_POLL_S} to ${MAX_POLL_S}`,
    read: numberFrom(MIN_POLL_S, MAX_POLL_S),
    about: 'time between two checks of the render',
    default: '10',
  },
  'max-wait': {
    kind: 'text',
    rule: `minutes from ${MIN_WAIT_MIN} to ${MAX_WAIT_MIN}`,
    read: numberFrom(MIN_WAIT_MIN, MAX_WAIT_MIN),
    about: 'longest wait for the render',
    default: '60',
  },
  'idempotency-key': {
    kind: 'text',
    rule: '1 to 255 characters of A-Z, a-z, 0-9, _ : . -',
    pattern: /^[A-Za-z0-9_:.-]{1,255}$/,
    about: 'key of a render that several runs share; the server renders it once',
    default: 'a new one for each run',
  },
} as const satisfies OptionTable

/** The wait options in milliseconds. */
export const waitingOf = (options: { readonly 'poll-interval'?: unknown; readonly 'max-wait'?: unknown }) => ({
  pollMs: Number(options['poll-interval'] ?? 10) * 1000,
  maxWaitMs: Number(options['max-wait'] ?? 60) * 60_000,
})

/** The size of a picture in the API. */
export const resolutionOption = {
  kind: 'choice',
  choices: cloudResolutions,
  about: 'shorter side of the picture, 1080 or 2160 pixels; 4k is for mp4, and is billed 1.5 times',
  default: '1080p',
} as const satisfies Option
