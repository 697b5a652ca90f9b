import type { ScopedQuery } from './scoped-query.ts'
import { type Override, platformFunctions, standIn } from './stand-in.ts'

const fixed = (value: unknown): Override => ({ get: () => value })

/** The `document` of an instance: queries search inside its host, which also represents `<html>` and `<body>`. */
export const createScopedDocument = (real: Document, { host, all, one }: ScopedQuery, view: () => Window): Document => {
  const isBox = (tag: string) => /^(html|body)$/i.test(tag)
  const hasInner = () => host.querySelector('[data-vid-instance]') !== null
  const byClass = (names: string) =>
    hasInner()
      ? all(names.trim().replaceAll(/\S+\s*/g, (name) => `.${CSS.escape(name.trim())}`) || ':not(*)')
      : host.getElementsByClassName(names)
  const byTag = (tag: string) =>
    isBox(tag) || hasInner() ? all(tag === '*' ? tag : CSS.escape(tag)) : host.getElementsByTagName(tag)
  return standIn(real, platformFunctions(real), {
    querySelector: fixed(one),
    querySelectorAll: fixed(all),
    getElementById: fixed((id: string) => one(`#${CSS.escape(String(id))}`)),
    getElementsByName: fixed((name: string) => all(`[name="${CSS.escape(String(name))}"]`)),
    getElementsByClassName: fixed((names: string) => byClass(String(names))),
    getElementsByTagName: fixed((tag: string) => byTag(String(tag))),
    body: fixed(host),
    documentElement: fixed(host),
    scrollingElement: fixed(host),
    defaultView: { get: view },
  })
}
