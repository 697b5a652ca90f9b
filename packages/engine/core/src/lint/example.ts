import type { ExampleProject } from './rule.ts'

/** The parts of an example page that differ from a valid composition. */
export interface ExamplePage {
  /** Inside the root. */
  readonly body?: string
  readonly head?: string
  /** Attributes of `<html>`. */
  readonly html?: string
  /** Attributes of the root. */
  readonly root?: string
}

const indent = (text: string, spaces: number) => text.trim().replaceAll(/^(?=.)/gm, ' '.repeat(spaces))

/** Attributes of a valid root. */
export const ROOT = 'data-composition-id="main" data-width="320" data-height="180" data-duration="4"'

/** The text of a small composition. */
export const page = ({ body = '', head = '', html = '', root = ROOT }: ExamplePage): string =>
  [
    '<!doctype html>',
    html === '' ? '<html>' : `<html ${html}>`,
    ...(head === '' ? [] : ['  <head>', indent(head, 4), '  </head>']),
    '  <body>',
    ...(body === '' ? [`    <div ${root}></div>`] : [`    <div ${root}>`, indent(body, 6), '    </div>']),
    '  </body>',
    '</html>',
    '',
  ].join('\n')

/** A project of one page, and the files that it needs. */
export const example = (parts: ExamplePage, others: ExampleProject = {}): ExampleProject => ({
  'index.html': page(parts),
  ...others,
})

/** A picture, for examples that refer to one. */
export const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" />\n'
