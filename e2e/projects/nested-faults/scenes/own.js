document.querySelector('b').style.height = '80px'

throw new Error('thrown by a file')
