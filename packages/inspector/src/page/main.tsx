import { render } from 'preact';
import './styles/all.css';
import { reopenRecording } from './again/open-recording.ts';
import { takeToken } from './model/api.ts';
import { leadToServer, noteOpening } from './model/opening.ts';
import { followAddress } from './model/place.ts';
import { followTheme } from './model/settings.ts';
import { follow, isUpToDate, theWorld, whenUpToDate } from './model/state.ts';
import { findFonts } from './parts/find-fonts.ts';
import { keepFocus } from './parts/keep-focus.ts';
import { Workbench } from './workbench.tsx';

takeToken();
followAddress();
noteOpening();
void reopenRecording();
follow();
followTheme();
void findFonts();
keepFocus();

// What is drawn before anything is known is drawn for nothing; but whoever waits must see for what.
const patienceMs = 150;
const page = document.querySelector('#page');
await Promise.race([whenUpToDate, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
if (isUpToDate.value) leadToServer(theWorld());
if (page !== null) render(<Workbench />, page);
