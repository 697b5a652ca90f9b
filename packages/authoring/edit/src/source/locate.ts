import { attributeOf, descendants, type Element, type LintFile, labelOf, lineOf } from '@vid/core/source-model'
import { nearest } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Target } from '../operations/operation.ts'
import { findMaker } from './scripted.ts'
import type { SourceTree } from './source-tree.ts'
import type { Sources } from './sources.ts'

/** An element that a target stands for. */
export interface Located {
  readonly file: LintFile
  readonly element: Element
}

/** Where an element stands, for messages. */
export const placeText = ({ file, element }: Located): string => `${file.file}:${lineOf(element)}`

/** A target as a user writes it. */
export const targetText = (target: Target): string => {
  if (typeof target === 'string') return target
  return 'path' in target ? `${target.file} ${target.path}` : `${target.file}:${target.line}`
}

/** Whether an element is written in the text, with its own start tag. */
const isWritten = ({ sourceCodeLocation: place }: Element) => place !== undefined && place !== null

const ambiguous = (target: Target, places: readonly Located[]) =>
  fail('VID_EDIT_AMBIGUOUS', {
    target: targetText(target),
    places: places.map((place) => `${labelOf(place.element)} in ${placeText(place)}`),
  })

const byId = (sources: Sources, target: string): Located => {
  const cut = target.indexOf('#')
  const name = target.slice(0, cut)
  const id = target.slice(cut + 1)
  const { files } = sources.project
  const searched = name === '' ? files : files.filter(({ file }) => file === name)
  if (searched.length === 0)
    throw fail('VID_EDIT_NOT_FOUND', { target, near: files.map(({ file }) => `${file}#${id}`) })
  const places = searched.flatMap((file) =>
    [...new Set(file.elements)]
      .filter((element) => attributeOf(element, 'id') === id && isWritten(element))
      .map((element): Located => ({ file, element })),
  )
  if (places.length > 1) throw ambiguous(target, places)
  const [place] = places
  if (place) return place
  const maker = findMaker(searched, id)
  if (maker !== undefined) throw fail('VID_EDIT_SCRIPTED', { target: `#${id}`, place: maker })
  const ids = files.flatMap(({ elements }) => elements.flatMap((element) => attributeOf(element, 'id') ?? []))
  const near = nearest(id, ids)
  throw fail('VID_EDIT_NOT_FOUND', { target, near: near === undefined ? [] : [`#${near}`] })
}

/** The elements whose start tag begins on a line: of several, those that are clips. */
const onLine = (file: LintFile, line: number): readonly Located[] => {
  const elements = file.elements.filter((element) => isWritten(element) && lineOf(element) === line)
  const clips = elements.filter((element) => file.scopes.some(({ timed }) => timed.includes(element)))
  return (elements.length > 1 && clips.length > 0 ? clips : elements).map((element) => ({ file, element }))
}

/** Finds the element that a target stands for; anything but exactly one is an error. */
export const locate = (sources: Sources, target: Target): Located => {
  if (typeof target === 'string') return byId(sources, target)
  const text = targetText(target)
  const file = sources.htmlFile(target.file)
  if (!file) throw fail('VID_EDIT_NOT_FOUND', { target: text, near: sources.project.files.map((other) => other.file) })
  const digest = sources.digestOf(target.file) ?? ''
  if (target.digest !== undefined && target.digest !== digest)
    throw fail('VID_EDIT_STALE', { target: text, file: target.file, digest })
  if ('line' in target) {
    const places = onLine(file, target.line)
    if (places.length > 1) throw ambiguous(target, places)
    if (places[0]) return places[0]
    throw fail('VID_EDIT_NOT_FOUND', { target: text, near: [] })
  }
  const start = atPath(sources.treeOf(file), target.path)?.sourceCodeLocation?.startOffset
  const element = file.elements.find((other) => other.sourceCodeLocation?.startOffset === start)
  if (start !== undefined && element) return { file, element }
  const template = start === undefined ? undefined : templateAround(file, start)
  if (template) throw fail('VID_EDIT_SCRIPTED', { target: text, place: template })
  throw fail('VID_EDIT_NOT_FOUND', { target: text, near: [] })
}

/** The element at a path: the only one of its tag may be written with the number 1, or without. */
const atPath = ({ byPath }: SourceTree, path: string): Element | undefined => {
  let reached = ''
  for (const step of path.split('/')) {
    const above = reached === '' ? '' : `${reached}/`
    const only = step.replace(/\[1\]$/, '')
    const name = [step, only].find((other) => byPath.has(above + other))
    if (name === undefined) return undefined
    reached = above + name
  }
  return byPath.get(reached)
}

/** The `<template>` around an offset, whose content only a script shows. */
const templateAround = (file: LintFile, start: number): string | undefined => {
  for (const element of file.elements) {
    const place = element.sourceCodeLocation
    if ('content' in element && place && place.startOffset < start && start < place.endOffset)
      return `the template in ${file.file}:${lineOf(element)}`
  }
  return undefined
}

/** Every element of some elements and below them. */
export const withDescendants = (element: Element): readonly Element[] => [element, ...descendants(element)]

/** Whether an element is another one, or stands inside of it. */
export const isElementWithin = (inner: Located, { file, element }: Located): boolean => {
  const start = inner.element.sourceCodeLocation?.startOffset
  const place = element.sourceCodeLocation
  if (inner.file.file !== file.file || start === undefined || !place) return false
  return place.startOffset <= start && start < place.endOffset
}
