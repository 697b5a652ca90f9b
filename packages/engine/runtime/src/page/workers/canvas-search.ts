/** The canvases in a message, in an order that is the same on both of its ends. */
export const findCanvases = (message: unknown): OffscreenCanvas[] => {
  const seen = new Set<unknown>()
  const canvases: OffscreenCanvas[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (value instanceof OffscreenCanvas) canvases.push(value)
    else if (Array.isArray(value) || value instanceof Set) for (const item of value) visit(item)
    else if (value instanceof Map) for (const pair of value) visit(pair)
    else if (Object.prototype.toString.call(value) === '[object Object]') Object.values(value).forEach(visit)
  }
  visit(message)
  return canvases
}
