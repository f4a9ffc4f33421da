import './style.css';
import { render } from 'preact';
import './api';   // takes the token from the address before the address is tidied
import { App } from './app';

if (!location.hash.startsWith('#/')) history.replaceState(null, '', '#/library');
render(<App />, document.getElementById('page')!);
