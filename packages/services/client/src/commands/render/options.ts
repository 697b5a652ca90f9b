import { type OptionTable, outputOptions, renderOptions } from '@vid/command'
import { cloudOptions, remoteRenderOptions, resolutionOption } from '../shared/options.ts'

const { 'aspect-ratio': aspectRatio, ...others } = remoteRenderOptions

const address = { kind: 'text', rule: 'an https address', pattern: /^https?:\/\/\S+$/ } as const

/** Every option of `vid cloud render`. */
export const cloudRenderOptions = {
  ...cloudOptions,
  resolution: resolutionOption,
  'aspect-ratio': { ...aspectRatio, default: "the composition's own; 16:9 with --asset-id or --url" },
  output: {
    ...renderOptions.output,
    about: 'where the video goes; {shape} stands for 9x16',
    default: 'renders/<render_id>.<format>; a folder renders/<render_id> for hls',
  },
  'asset-id': {
    kind: 'text',
    rule: 'an id such as asset_7Kq2',
    pattern: /^asset_[A-Za-z0-9]{1,64}$/,
    about: 'an uploaded project, instead of a folder',
  },
  url: { ...address, about: 'a zip that the server fetches, instead of a folder' },
  batch: { ...renderOptions.batch, about: 'refused: "vid render --batch" renders a table with "--target cloud"' },
  wait: {
    kind: 'switch',
    about: 'wait for the video and download it; --no-wait prints the id of the render and exits',
    default: 'on',
  },
  'callback-url': { ...address, about: 'address that is notified when the render has ended' },
  'callback-id': {
    kind: 'text',
    rule: '1 to 255 characters',
    pattern: /^[^\n\r]{1,255}$/,
    about: 'opaque text that is sent to --callback-url',
  },
  ...others,
  force: renderOptions.force,
  ...outputOptions,
} as const satisfies OptionTable

type Name = keyof typeof cloudRenderOptions

/** Pairs of options that contradict each other. */
export const cloudRenderConflicts: readonly (readonly [Name, Name])[] = [
  ['shapes', 'aspect-ratio'],
  ['asset-id', 'url'],
  ['variables', 'variables-file'],
]

/** Options, each with the option that it requires. */
export const cloudRenderNeeds: readonly (readonly [Name, Name])[] = [['callback-id', 'callback-url']]
