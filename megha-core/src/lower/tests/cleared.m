% scripts that forget what was there before
clear
clc; close all; clear all;
a = 3;
b = [1 2];
clear b
b = a + 1;
disp(b);
clear;
a(2) = 5;
disp(a);
clear -all
a = 'text';
disp(a);
