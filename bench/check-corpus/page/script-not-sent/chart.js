for (const [index, height] of [60, 110, 90, 170].entries()) {
  const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  for (const [name, value] of Object.entries({ x: index * 130, y: 200 - height, width: 90, height, fill: '#2a9d8f' }))
    bar.setAttribute(name, value)
  document.querySelector('svg').append(bar)
}
