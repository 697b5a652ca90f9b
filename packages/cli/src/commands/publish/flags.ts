import { farRenderFlags, outputFlags } from '../../cloud/flags.ts'
import type { FlagTable } from '../../flags/flag.ts'

/** Every flag of `vid publish`. */
export const publishFlags = {
  public: { kind: 'switch', about: 'list the page for everybody; otherwise only its address leads to it' },
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
      'the page plays the composition, whose files can then be read by everybody who has its address; --no-play shows the video alone',
    default: 'on',
  },
  ...farRenderFlags,
  wait: {
    kind: 'switch',
    about: 'wait for the video, --no-wait to publish before it is there',
    default: 'on',
  },
  list: { kind: 'switch', about: 'list what is published, and publish nothing' },
  unpublish: {
    kind: 'text',
    rule: 'an id such as pub_7Kq2',
    pattern: /^pub_[A-Za-z0-9]{1,64}$/,
    about: 'remove a page, and publish nothing',
  },
  ...outputFlags,
} as const satisfies FlagTable

type Name = keyof typeof publishFlags

/** Pairs of flags that contradict each other. */
export const publishConflicts: readonly (readonly [Name, Name])[] = [
  ['variables', 'variables-file'],
  ['list', 'unpublish'],
  ...(['public', 'title', 'play'] as const).flatMap((name) => [['list', name] as const, ['unpublish', name] as const]),
]
