import { AbsoluteFill, Easing, interpolate, useCurrentFrame, useVideoConfig } from 'remotion'

const card = {
  position: 'absolute',
  left: 840,
  top: 460,
  width: 240,
  height: 160,
  padding: 24,
  boxSizing: 'border-box',
  borderRadius: 12,
  color: '#123',
}

const placeAt = (n, step) => ({
  x: Math.round(820 * Math.sin(n * 1.7 + step * 2.1)),
  y: Math.round(430 * Math.cos(n * 2.3 + step * 1.3)),
  rotation: 40 * Math.sin(n + step),
})

export const TurningCards = ({ shadow }) => {
  const frame = useCurrentFrame()
  const { fps } = useVideoConfig()
  const step = Math.floor(frame / fps)
  const part = interpolate(frame, [step * fps, (step + 1) * fps], [0, 1], {
    easing: Easing.inOut(Easing.sin),
  })
  return (
    <AbsoluteFill style={{ background: 'linear-gradient(#123, #456)', font: '600 40px Inter, sans-serif' }}>
      {Array.from({ length: 24 }, (_, n) => {
        const from = placeAt(n, step)
        const to = placeAt(n, step + 1)
        const at = (name) => from[name] + (to[name] - from[name]) * part
        const transform = `translate(${at('x')}px, ${at('y')}px) rotate(${at('rotation')}deg)`
        const style = { ...card, boxShadow: shadow, background: `hsl(${n * 15}, 70%, 60%)`, transform }
        return (
          <div key={style.background} style={style}>
            card {n}
          </div>
        )
      })}
    </AbsoluteFill>
  )
}
