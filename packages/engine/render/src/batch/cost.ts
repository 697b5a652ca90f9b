import type { RemoteCost } from '@vid/protocol'

/** The sum of what renders have cost; undefined where none is known. */
export const sumCosts = (costs: readonly (RemoteCost | undefined)[]): RemoteCost | undefined => {
  const amounts = costs.filter((cost) => cost !== undefined)
  if (amounts.length === 0) return undefined
  const usd = amounts.reduce((sum, cost) => sum + cost.usd, 0)
  return { usd, ...(amounts.some(({ isUpperBound }) => isUpperBound) && { isUpperBound: true }) }
}
