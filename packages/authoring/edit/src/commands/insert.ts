import { fail } from '../errors.ts'
import type { EditSession } from '../session/session.ts'
import { readMediaWord } from './media-word.ts'
import { operationCommand } from './operation-command.ts'
import { readSeconds, readTarget } from './words.ts'

/** What a command line inserts. */
const readContent = async (
  { file, text }: { readonly file?: string | undefined; readonly text?: string | undefined },
  cwd: string,
  { projectDir }: EditSession,
) => {
  if (text !== undefined) return { text }
  if (file === undefined)
    throw fail('VID_EDIT_OPERATION', { index: 0, problems: ['either --file or --text must be given'] })
  const media = await readMediaWord(file, cwd, projectDir)
  if ('src' in media) throw fail('VID_EDIT_PATH', { path: media.src, reason: 'is not a file' })
  return 'inside' in media ? { file: media.inside } : media
}

/** `vid edit insert`. */
export const insertCommand = operationCommand({
  name: 'insert',
  summary: 'Insert a clip: a video, a sound, a picture, a text, or a composition.',
  details:
    'A file outside of the project is copied into its folder "assets". Without a duration, a video and a sound last as long as their source, others to the end of the composition.',
  arguments: [{ name: 'time' }],
  options: {
    file: { kind: 'text', rule: 'a path', about: 'file that the clip shows' },
    text: { kind: 'text', rule: 'a text', about: 'text that the clip shows' },
    kind: {
      kind: 'choice',
      choices: ['video', 'audio', 'image', 'composition'],
      about: 'what the file is',
      default: 'by the ending of its name',
    },
    into: { kind: 'text', rule: 'an element', about: 'element to insert into', default: 'the composition' },
    place: {
      kind: 'choice',
      choices: ['first', 'last', 'before', 'after'],
      about: 'where in that element, or beside it',
      default: 'last',
    },
    duration: { kind: 'text', rule: 'a time such as 3s', about: 'how long it is shown' },
    track: { kind: 'integer', min: 0, max: 1000, about: 'its track', default: 'a free one' },
    id: { kind: 'text', rule: 'an id', pattern: /^\S+$/, about: 'its DOM id', default: 'by the name of the file' },
  },
  conflicts: [['file', 'text']],
  examples: [
    ['A video at the second 2', 'vid edit insert 2s --file clips/walk.mp4'],
    ['A text for three seconds', "vid edit insert 2s --text 'Good morning' --duration 3s"],
    ['A picture into a scene', "vid edit insert 0s --file logo.png --into 'scene.html#card'"],
  ],
  operations: async ({ arguments: { time = '' }, options, cwd }, edit) => {
    const { into, place, kind, duration, track, id } = options
    return [
      {
        op: 'insert',
        ...(into !== undefined && { target: await readTarget(edit, into) }),
        ...(place !== undefined && { place }),
        ...(await readContent(options, cwd, edit)),
        ...(kind !== undefined && { kind }),
        start: readSeconds(time),
        ...(duration !== undefined && { duration: readSeconds(duration) }),
        ...(track !== undefined && { track }),
        ...(id !== undefined && { id }),
      },
    ]
  },
})
