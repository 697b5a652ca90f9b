import type { RouteOptions } from 'fastify'

interface KnownRoute {
  readonly methods: readonly string[]
  readonly matches: (path: string) => boolean
}

/** The methods of each path, to distinguish a wrong method from a wrong path. */
export interface RouteTable {
  add(route: Pick<RouteOptions, 'method' | 'url'>): void
  methodsOf(url: string): readonly string[]
}

/** Parses route patterns in this project's form: `/fixed/:part` with an optional `*` at the end. */
const matcherOf = (pattern: string): ((path: string) => boolean) => {
  const parts = pattern.split('/')
  const isOpen = parts.at(-1) === '*'
  const fixed = isOpen ? parts.slice(0, -1) : parts
  return (path) => {
    const segments = path.split('/')
    if (isOpen ? segments.length < parts.length : segments.length !== parts.length) return false
    return fixed.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  }
}

/** Creates an empty registry of routes. */
export const createRouteTable = (): RouteTable => {
  const routes: KnownRoute[] = []
  return {
    add({ method, url }) {
      routes.push({ methods: [method].flat(), matches: matcherOf(url) })
    },
    methodsOf(url) {
      const [path = ''] = url.split('?', 1)
      return [...new Set(routes.filter(({ matches }) => matches(path)).flatMap(({ methods }) => methods))]
    },
  }
}
