import { fail, type OptionTable, type OptionValues, outputOptions, renderOptions, shapeOption } from '@vid/command'
import type { VidError } from '@vid/protocol'
import { remoteRenderOptions } from '../shared/options.ts'

/** Every option of `vid publish`. */
export const publishOptions = {
  public: { kind: 'switch', about: 'list the page publicly; otherwise it is reachable only by its address' },
  title: {
    kind: 'text',
    rule: '1 to 200 characters',
    pattern: /^[^\n\r]{1,200}$/,
    about: 'title of the page',
    default: 'the name of the folder',
  },
  play: {
    kind: 'switch',
    about:
      'play the composition, so that everybody with the address can read its files; --no-play shows the video alone',
    default: 'on',
  },
  ...remoteRenderOptions,
  shape: shapeOption,
  poster: renderOptions.poster,
  wait: {
    kind: 'switch',
    about: 'wait for the video, --no-wait to publish before it is finished',
    default: 'on',
  },
  list: { kind: 'switch', about: 'list your pages, and publish nothing' },
  unpublish: {
    kind: 'text',
    rule: 'an id such as pub_7Kq2',
    pattern: /^pub_[A-Za-z0-9]{1,64}$/,
    about: 'remove a page, and publish nothing',
  },
  ...outputOptions,
} as const satisfies OptionTable

type Name = keyof typeof publishOptions

/** Pairs of options that contradict each other. */
export const publishConflicts: readonly (readonly [Name, Name])[] = [
  ['variables', 'variables-file'],
  ['shape', 'aspect-ratio'],
  ['list', 'unpublish'],
  ...(['public', 'title', 'play'] as const).flatMap((name) => [['list', name] as const, ['unpublish', name] as const]),
]

/** Problems that involve several options. */
export const publishProblems = (
  dir: string | undefined,
  options: OptionValues<typeof publishOptions>,
): readonly VidError[] =>
  (['list', 'unpublish'] as const)
    .filter((name) => dir !== undefined && options[name] !== undefined)
    .map((name) => fail('VID_FLAG_CONFLICT', { flags: [`the folder "${dir}"`, `--${name}`] }))
