/** The names of the children of an element among their siblings, such as `p`, or `p[2]` beside others. */
const stepsIn = (parent: Element): ReadonlyMap<Element, string> => {
  const totals = new Map<string, number>()
  for (const { localName } of parent.children) totals.set(localName, (totals.get(localName) ?? 0) + 1)
  const counts = new Map<string, number>()
  const steps = new Map<Element, string>()
  for (const child of parent.children) {
    const { localName } = child
    const count = (counts.get(localName) ?? 0) + 1
    counts.set(localName, count)
    steps.set(child, totals.get(localName) === 1 ? localName : `${localName}[${count}]`)
  }
  return steps
}

/**
 * Creates a function that says where elements are in the page, as long as it does not change: from the nearest element
 * with an id, itself included, such as `#card/p[2]`, or from the body, such as `body/div/p`.
 */
export const createElementPaths = (): ((element: Element) => string) => {
  const stepsOf = new Map<Element, ReadonlyMap<Element, string>>()
  const stepOf = (element: Element): string => {
    const parent = element.parentElement
    if (!parent) return element.localName
    const steps = stepsOf.get(parent) ?? stepsIn(parent)
    stepsOf.set(parent, steps)
    return steps.get(element) ?? element.localName
  }
  return (element) => {
    const steps: string[] = []
    let node: Element | null = element
    for (; node && !node.id && node !== document.body; node = node.parentElement) steps.unshift(stepOf(node))
    return [node?.id ? `#${node.id}` : 'body', ...steps].join('/')
  }
}

const STEP = /^([^[\]]+)(?:\[(\d+)\])?$/

/** The element at such a path; null where there is none any more. */
export const elementAt = (path: string): Element | null => {
  const [first = '', ...steps] = path.split('/')
  let element: Element | null = first.startsWith('#') ? document.getElementById(first.slice(1)) : document.body
  for (const step of steps) {
    const [, name, number = '1'] = STEP.exec(step) ?? []
    const twins: Element[] = [...(element?.children ?? [])].filter(({ localName }) => localName === name)
    element = twins[Number(number) - 1] ?? null
  }
  return element
}
