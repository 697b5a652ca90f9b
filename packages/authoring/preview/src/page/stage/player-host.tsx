import { useEffect, useRef } from 'preact/hooks'
import { attachPlayer } from '../state/player-control.ts'
import { project, source } from '../state/project.ts'

/** The player of the chosen composition. */
export const PlayerHost = () => {
  const place = useRef<HTMLDivElement>(null)
  const src = source.value
  const origin = project.value?.origin ?? ''
  useEffect(() => {
    if (src && place.current) return attachPlayer(place.current, src, origin)
  }, [src, origin])
  return <div class="player-place" ref={place} />
}
