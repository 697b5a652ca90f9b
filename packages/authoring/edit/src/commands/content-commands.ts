import type { AnyCommand } from '@vid/command'
import { fail } from '../errors.ts'
import { readMediaWord } from './media-word.ts'
import { operationCommand } from './operation-command.ts'
import { readNumberWord, readSeconds, readTarget } from './words.ts'

const target = { name: 'target' } as const

const removeOption = { remove: { kind: 'switch', about: 'remove it' } } as const

const fileOption = {
  file: { kind: 'text', rule: 'a path', about: 'file of the project, where several could be meant' },
} as const

/** The value of a command line; null with `--remove`. */
const valueOrRemoval = (value: string | undefined, isRemoved: boolean | undefined): string | null => {
  if (isRemoved === true && value === undefined) return null
  if (isRemoved !== true && value !== undefined) return value
  throw fail('VID_EDIT_OPERATION', { index: 0, problems: ['either a value or --remove must be given'] })
}

/** The width and height of a text such as `1080x1920`. */
const readSize = (text: string) => {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(text) ?? []
  if (width !== undefined && height !== undefined) return { width: Number(width), height: Number(height) }
  throw fail('VID_EDIT_OPERATION', { index: 0, problems: [`"${text}" is no size such as 1080x1920`] })
}

/** The commands about what elements show and how. */
export const contentCommands: readonly AnyCommand[] = [
  operationCommand({
    name: 'text',
    summary: 'Change the text of an element.',
    details: 'Of an element that shows a variable, the default of the variable.',
    arguments: [target, { name: 'text' }],
    examples: [['Another title', "vid edit text '#title' 'Good morning'"]],
    operations: async ({ arguments: { target = '', text = '' } }, edit) => [
      { op: 'text', target: await readTarget(edit, target), text },
    ],
  }),
  operationCommand({
    name: 'set',
    summary: 'Set an attribute of an element.',
    arguments: [target, { name: 'attribute' }, { name: 'value', isOptional: true }],
    options: removeOption,
    examples: [['A class', "vid edit set '#title' class large"]],
    operations: async ({ arguments: { target = '', attribute = '', value }, options: { remove } }, edit) => [
      { op: 'set', target: await readTarget(edit, target), name: attribute, value: valueOrRemoval(value, remove) },
    ],
  }),
  operationCommand({
    name: 'style',
    summary: 'Set a CSS property of an element.',
    details:
      'A rule that is for this element alone is changed; otherwise an inline style is written, so that nothing else changes.',
    arguments: [target, { name: 'property' }, { name: 'value', isOptional: true }],
    options: removeOption,
    examples: [['A colour', "vid edit style '#title' color '#ffcc00'"]],
    operations: async ({ arguments: { target = '', property = '', value }, options: { remove } }, edit) => [
      { op: 'style', target: await readTarget(edit, target), property, value: valueOrRemoval(value, remove) },
    ],
  }),
  operationCommand({
    name: 'variable',
    summary: 'Change the default of a variable.',
    arguments: [{ name: 'id' }, { name: 'value' }],
    options: fileOption,
    examples: [['Of the variable "title"', "vid edit variable title 'Good morning'"]],
    operations: async ({ arguments: { id = '', value = '' }, options: { file } }) => [
      { op: 'variable', id, value, ...(file !== undefined && { file }) },
    ],
  }),
  operationCommand({
    name: 'media',
    summary: 'Show another video, sound or picture.',
    details: 'A file outside of the project is copied into its folder "assets".',
    arguments: [target, { name: 'file' }],
    examples: [['A new take', "vid edit media '#talk' ~/takes/two.mp4"]],
    operations: async ({ arguments: { target = '', file = '' }, cwd }, edit) => {
      const media = await readMediaWord(file, cwd, edit.projectDir)
      const place = await readTarget(edit, target)
      if (!('inside' in media)) return [{ op: 'media', target: place, ...media }]
      const { posix } = await import('node:path')
      const { address } = await edit.inspect(place)
      return [{ op: 'media', target: place, src: posix.relative(posix.dirname(address.file), media.inside) }]
    },
  }),
  operationCommand({
    name: 'volume',
    summary: 'Set the volume of a video or a sound.',
    details: '1 is the source as it is, 0 silence, 3.98 the most.',
    arguments: [target, { name: 'volume' }],
    examples: [['Half as loud', "vid edit volume '#music' 0.5"]],
    operations: async ({ arguments: { target = '', volume = '' } }, edit) => [
      { op: 'volume', target: await readTarget(edit, target), volume: readNumberWord(volume, 'number from 0 to 3.98') },
    ],
  }),
  operationCommand({
    name: 'fade',
    summary: 'Fade a video or a sound in and out.',
    details: 'Sets data-fade-in and data-fade-out; 0 removes a fade, and a side that is not given stays as it is.',
    arguments: [target],
    options: {
      in: { kind: 'text', rule: 'a time such as 1s', about: 'how long it becomes louder at its start' },
      out: { kind: 'text', rule: 'a time such as 1s', about: 'how long it becomes quieter before its end' },
    },
    examples: [['Two seconds at the end', "vid edit fade '#music' --out 2s"]],
    operations: async ({ arguments: { target = '' }, options }, edit) => [
      {
        op: 'fade',
        target: await readTarget(edit, target),
        ...(options.in !== undefined && { in: readSeconds(options.in as string) }),
        ...(options.out !== undefined && { out: readSeconds(options.out as string) }),
      },
    ],
  }),
  operationCommand({
    name: 'size',
    summary: 'Change the size of the composition.',
    arguments: [{ name: 'size' }],
    options: fileOption,
    examples: [['Upright', 'vid edit size 1080x1920']],
    operations: async ({ arguments: { size = '' }, options: { file } }) => [
      { op: 'size', ...readSize(size), ...(file !== undefined && { file }) },
    ],
  }),
]
